/** Application values by column, and the complete ids of to-many fields. */
export interface Change {
  readonly columns: Readonly<Record<string, unknown>>
  readonly links?: ReadonlyMap<string, readonly number[]>
}
