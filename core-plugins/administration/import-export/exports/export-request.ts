import type { Principal } from '../../../foundation/http/http.ts'

/** How relations are written: by ids, by UUIDs, or by a unique attribute of what they refer to (a UUID where it has none). */
export const keyKinds = ['id', 'uuid', 'natural'] as const

export type KeyKind = (typeof keyKinds)[number]

/** How files are written: by the UUIDs of their records (ids with `keys=id`), or by where they can be fetched. */
export const mediaKinds = ['key', 'url'] as const

/** What stands for a file in an export. */
export type MediaKind = (typeof mediaKinds)[number]

export interface ExportRequest {
  readonly type: string
  /** As in a list: `filters`, `fields`, `locale`, `published`, `draft`. */
  readonly rawQuery: string
  readonly keys: KeyKind
  readonly media: MediaKind
  readonly principal: Principal
}
