//! Certificates that a client trusts.

use std::path::Path;

use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

use crate::error::HttpError;

/// Returns the settings of encryption: Mozilla's list of certificates, or those of a file.
pub(crate) fn tls_config(certificates: Option<&Path>) -> Result<TlsConfig, HttpError> {
    let config = TlsConfig::builder();
    let Some(path) = certificates else {
        return Ok(config.root_certs(RootCerts::WebPki).build());
    };
    let fault = |fault: String| HttpError::Certificates(format!("{}: {fault}", path.display()));
    let pem = std::fs::read(path).map_err(|error| fault(error.to_string()))?;
    let mut roots = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(root) = item.map_err(|error| fault(error.to_string()))? {
            roots.push(root);
        }
    }
    if roots.is_empty() {
        Err(fault("it has no certificate in PEM".into()))
    } else {
        Ok(config.root_certs(RootCerts::new_with_certs(&roots)).build())
    }
}
