/**
 * Computes the line at which a row begins, as editors count. csv-parse (7.0.3) reports the line at which a row ends, and counts
 * a line break of two characters within a cell twice.
 */
export class LineCounter {
  readonly #linesBefore: number
  /** The number of lines that csv-parse has counted in excess so far. */
  #excess = 0
  #lastCounted = 0

  /** @param linesBefore the number of lines before those passed to csv-parse */
  constructor(linesBefore: number) {
    this.#linesBefore = linesBefore
  }

  /** The line at which the latest row ends; 0 before the first one. */
  get last(): number {
    return this.#lastCounted - this.#excess + this.#linesBefore
  }

  /** The line at which a row begins that ends at the line `counted`, according to csv-parse. */
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
