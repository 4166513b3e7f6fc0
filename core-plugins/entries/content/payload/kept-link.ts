/**
 * Stands in a payload for an id that the entry has already and that is hidden from the caller: it is stored again without
 * being checked. A class, because what clients send consists of plain values.
 */
export class KeptLink {
  readonly id: number

  constructor(id: number) {
    this.id = id
  }
}
