import type { DescribedType } from '../../../../client/admin.ts'

/** The entry that is open. */
export interface OpenEntry {
  readonly type: Omit<DescribedType, 'plugin' | 'indexes' | 'referencedBy'>
  /** Undefined while the entry is new. */
  readonly id: number | undefined
  /** Undefined for types without localisation. */
  readonly locale: string | undefined
  /** Something has been changed and not saved yet. */
  readonly isDirty: boolean
  /** Whoever is signed in may look, but not write. */
  readonly isReadOnly: boolean
}

/** The entry that a panel, action or input stands beside; it is drawn anew by saves, not by keystrokes. */
export declare function useEntry(): OpenEntry

export interface FieldAccess<Value> {
  /** Undefined where there is none yet; whatever the service holds otherwise, so check it before relying on its type. */
  readonly value: Value | null | undefined
  readonly set: (value: Value | null) => void
  /** What the service has said about it. */
  readonly problem: string | undefined
  readonly disabled: boolean
}

/** A value of the open entry by its path, `title` or `seo.metaTitle`, unsaved changes included. */
export declare function useField<Value = unknown>(path: string): FieldAccess<Value>
