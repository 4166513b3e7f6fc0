/** The outcome of applying a package, by section. */
export interface ApplyResult {
  readonly sections: Readonly<
    Record<string, { readonly put: number; readonly removed: number; readonly agreed: number }>
  >
  /** ISO 8601 */
  readonly appliedAt: string
}
