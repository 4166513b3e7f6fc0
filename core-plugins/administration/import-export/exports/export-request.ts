import type { Principal } from '../../../foundation/http/http.ts'

/** How relations are written: by ids, by UUIDs, or by a unique attribute of the target (its UUID if it has none). */
export const keyKinds = ['id', 'uuid', 'natural'] as const

export type KeyKind = (typeof keyKinds)[number]

/** How files are written: by the UUIDs of their records (ids with `keys=id`), or by their addresses. */
export const mediaKinds = ['key', 'url'] as const

/** How an export refers to a file. */
export type MediaKind = (typeof mediaKinds)[number]

export interface ExportRequest {
  readonly type: string
  /** As in a list: `filters`, `fields`, `locale`, `published`, `draft`. */
  readonly rawQuery: string
  readonly keys: KeyKind
  readonly media: MediaKind
  readonly principal: Principal
}
