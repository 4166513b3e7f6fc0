/** A value of which base, mine and theirs all differ, at a path within what was merged. */
export interface MergeConflict {
  readonly path: string
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

/** What has come out of two changes of one value. Where they conflict, it holds mine. */
export interface Merged {
  readonly value: unknown
  readonly conflicts: readonly MergeConflict[]
}

export interface Versions {
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

/** Brings two changes of one value together; conflicts are told by paths relative to the value, `''` for itself. */
export type MergeValues = (versions: Versions) => Merged
