// Answers of the API and parts of the page. Read by `tsc` alone; nothing of it is served.

type Value = 'win' | 'draw' | 'loss';
type Gift = 'nothing' | 'plies' | 'draw' | 'win';

interface Piece { cell: string; player: number | null; shape: string; step?: [number, number]; sign?: string }
interface Mark { cell: string; kind: string; player: number | null }
interface Fence { name: string; cell: string; is_vertical: boolean }
interface Card { name: string; steps: [number, number][] }
interface Seat {
  name: string; is_at_top: boolean; is_dark: boolean; cards: Card[]; stock: string; in_hand?: number | null;
}
interface Board {
  columns: number; rows: number; pieces: Piece[]; marks: Mark[]; fences: Fence[]; has_fences: boolean;
  seats: [Seat, Seat]; cards_aside: Card[]; player_to_move: number | null; note: string;
}

interface MoveDrawing {
  from: string | null; to: string | null; leaves?: [number, number]; fence?: Fence; card?: string;
  pushed: string[]; removed: string[];
}
interface LegalMove { move: string; to: string; drawing: MoveDrawing | null }
interface PositionReply {
  game: string; position: string; player: string; over: boolean; result: Value | null;
  winner: string | null; ending: string | null; moves: LegalMove[]; board: Board; diagram: string;
  images: string[]; positions?: string[]; played?: string[];
}

interface Bound { value: Value; plies: number }
interface KnownValue {
  value: Value | null; remoteness: number | null; bound?: Bound | null; estimate?: number | null;
}
interface ValuedMove extends KnownValue {
  move: string; to: string; best?: boolean | null; gives?: Gift | null; plies_lost?: number | null; line?: string[];
}
interface ValuesReply extends KnownValue {
  position: string; player: string; moves: ValuedMove[]; seconds?: number; sources?: string[];
}
interface LineReply extends KnownValue {
  position: string; line: { move: string; position: string; to: string }[]; end: string;
  repeats?: unknown; is_cut: boolean;
}
interface WalkPly extends KnownValue {
  ply: number; player: string; move: string; position: string; to: string; before: KnownValue;
  best: boolean | null; gives: Gift | null; plies_lost: number | null; best_move: string; best_is_proved: boolean;
}
interface PlayerCounts {
  player: string; moves: number; best_moves: number; gave_away: number; unknown: number;
  accuracy: number | null; worst: number[];
}
interface WalkReply {
  game: string; start: string; player: string; plies: WalkPly[]; end: string; players: PlayerCounts[];
  source: 'values' | 'analyses';
}
interface ChooseReply { agent: string; move: string; to: string; work: number; seconds: number }

interface Setup {
  pieces: { player: number | null; shape: string; step?: [number, number]; sign?: string }[];
  marks: string[]; most_in_hand: [number, number] | null; has_turn: boolean;
}
interface TableReply {
  id: string; game: string; values: 'table' | 'solve' | 'analysis'; scope: string | null; digest: string | null;
  players: [string, string]; board: Board; themes: string[]; setup?: Setup | null;
  positions?: number; wins?: number; losses?: number; draws?: number; bytes?: number; layout?: string;
  can_have_table?: boolean;
  layers?: number; tiers?: number; signature?: string; start?: { value: Value; remoteness: number | null; position: string };
}
interface HistogramRow { value: Value; remoteness: number | null; positions: number }
interface ValuedPosition { value: Value; remoteness: number | null; position: string }
interface LayerStats {
  layer: number; name: string; tiers: number; ranks: number; positions: number; wins: number; losses: number;
  draws: number; mean_remoteness: number | null; longest_win: ValuedPosition | null;
  longest_loss: ValuedPosition | null; histogram: HistogramRow[];
}
interface StatsReply {
  game: string; layers?: LayerStats[]; positions?: number; wins?: number; losses?: number; draws?: number;
  histogram?: HistogramRow[]; mean_remoteness?: number | null;
  longest_win?: ValuedPosition | null; longest_loss?: ValuedPosition | null;
}
interface PuzzleReply {
  position: string; player: string; value: Value; remoteness: number | null;
  line: { position: string; move: string }[]; end: string;
  grade: Grade;
}
interface Grade { plies: number | null; tempting: number; quiet: boolean; wrong: number }
interface PuzzlesReply {
  game: string; theme: string | null; unique: string; scanned: { positions: number }; found: number;
  puzzles: PuzzleReply[]; is_cut: boolean;
}

interface ListedTable {
  id: string; game: string; layout: string | null; scope: string | null; positions: number | null;
  bytes: number | null; digest: string | null;
}
interface ListedGame { name: string; spec: string; about: string; example: string }
interface ServerData {
  version: string; all_games: boolean; tables: ListedTable[]; games: ListedGame[];
  limits: { playouts: number; seconds: number; requests_a_second: number | null };
  first: { id: string; table: TableReply | null; position: PositionReply } | null;
}

interface ProblemReply {
  type: string; title: string; status: number; detail: string; at?: number; parameter?: string; text?: string;
  place?: Place | null;
}
interface Place { cell?: string; hand?: number; aside?: boolean; fence?: string; turn?: boolean }
