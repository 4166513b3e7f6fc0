/**
 * Says at which line of a file a row begins, as an editor counts. csv-parse (7.0.3) counts a line break of two characters twice
 * where it stands in a cell, and tells the line at which a row ends.
 */
export class LineCounter {
  readonly #linesBefore: number
  /** What csv-parse has counted too many so far. */
  #excess = 0
  #lastCounted = 0

  /** @param linesBefore lines of the file that csv-parse was not given */
  constructor(linesBefore: number) {
    this.#linesBefore = linesBefore
  }

  /** The line at which the latest row ends; 0 before the first one. */
  get last(): number {
    return this.#lastCounted - this.#excess + this.#linesBefore
  }

  /** The line at which a row begins, of which csv-parse says that it ends at `counted`. */
  firstOf(cells: readonly string[], counted: number): number {
    const isLong = counted > this.#lastCounted + 1
    this.#lastCounted = counted
    if (!isLong) return this.last
    let breaks = 0
    for (const cell of cells) {
      breaks += cell.match(/\r\n|\n|\r/g)?.length ?? 0
      this.#excess += cell.match(/\r\n/g)?.length ?? 0
    }
    return this.last - breaks
  }
}
