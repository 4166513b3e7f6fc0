import type { DescribedType } from '../../../../client/admin.ts'

/** The entry that is open. */
export interface OpenEntry {
  readonly type: Omit<DescribedType, 'plugin' | 'indexes' | 'referencedBy'>
  /** Undefined while the entry is new. */
  readonly id: number | undefined
  /** Undefined for types without localisation. */
  readonly locale: string | undefined
  /** Whether there are unsaved changes. */
  readonly isDirty: boolean
  /** Whether the user may read but not write. */
  readonly isReadOnly: boolean
}

/** The entry of the surrounding panel, action or input; the component renders again after saves, not on keystrokes. */
export declare function useEntry(): OpenEntry

export interface FieldAccess<Value> {
  /** Undefined if there is no value yet; otherwise of any type that the service has stored, so check it before use. */
  readonly value: Value | null | undefined
  readonly set: (value: Value | null) => void
  /** The problem that the service reported for it. */
  readonly problem: string | undefined
  readonly disabled: boolean
}

/** A value of the open entry by its path, `title` or `seo.metaTitle`, unsaved changes included. */
export declare function useField<Value = unknown>(path: string): FieldAccess<Value>
