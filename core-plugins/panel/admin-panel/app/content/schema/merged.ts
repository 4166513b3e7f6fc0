/** A value that differs between base, mine and theirs; the path is relative to the merged value. */
export interface MergeConflict {
  readonly path: string
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

/** The result of merging two changed versions of a value. Conflicting values are mine. */
export interface Merged {
  readonly value: unknown
  readonly conflicts: readonly MergeConflict[]
}

export interface Versions {
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

/** Merges two changed versions of a value; the paths of conflicts are relative to it, `''` for the value itself. */
export type MergeValues = (versions: Versions) => Merged
