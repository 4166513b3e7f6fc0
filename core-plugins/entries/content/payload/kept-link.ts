/**
 * Stands in a payload for an id that the entry already contains and that is hidden from the caller: it is stored again without
 * being checked. It is a class so that clients, whose payloads are plain values, cannot send one.
 */
export class KeptLink {
  readonly id: number

  constructor(id: number) {
    this.id = id
  }
}
