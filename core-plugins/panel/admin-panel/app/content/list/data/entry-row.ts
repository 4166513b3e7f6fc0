/** An entry as a list shows it. */
export interface EntryRow {
  readonly id: number
  readonly published_at?: string | null
  readonly _meta?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}
