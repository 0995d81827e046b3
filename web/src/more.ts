// Lists that grow: the first page is live, what is older is loaded behind it. Pure.

export interface Piece<Row> {
  rows: Row[];
  next: string | null;
}

export interface Ways<Row> {
  keyOf: (row: Row) => string;
  atOf: (row: Row) => string; // lists stand newest first by this
}

// The newest first page, and behind it what was loaded before. A row that newer ones pushed off the first page stays; a row that should
// stand on the first page and does not is gone. Each stands once, where it is newest.
export function joined<Row>(first: Row[], behind: Row[], ways: Ways<Row>): Row[] {
  const oldest = first.at(-1);
  const floor = oldest === undefined ? '' : ways.atOf(oldest);
  const seen = new Set(first.map(ways.keyOf));
  const rest = behind.filter((row) => {
    const key = ways.keyOf(row);
    if (seen.has(key) || ways.atOf(row) > floor) return false;
    seen.add(key);
    return true;
  });
  return [...first, ...rest];
}

// The part of a long list that is near the screen. Rows stand in blocks; a block that was drawn has its measured height, the others a guess.
export interface Part {
  from: number; // blocks
  until: number;
  above: number; // pixels
  below: number;
}

export function near(blocks: number, heightOf: (block: number) => number, top: number, bottom: number): Part {
  const part: Part = { from: 0, until: 0, above: 0, below: 0 };
  let y = 0;
  for (let block = 0; block < blocks; block += 1) {
    const height = heightOf(block);
    if (y + height < top && block < blocks - 1) {
      part.from = block + 1;
      part.above += height;
    } else if (y <= bottom || block === part.from) part.until = block + 1;
    else part.below += height;
    y += height;
  }
  return part;
}
