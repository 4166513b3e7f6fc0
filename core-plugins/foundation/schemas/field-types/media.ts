import { Type } from 'typebox'
import type { AttributeBase, OptionsOf, ReferenceFieldType } from '../field-type.ts'
import { compact, flag } from './options.ts'

/** The kinds of files that an attribute can be limited to. */
export type MediaKind = 'images' | 'videos' | 'audios' | 'files'

/** An attribute that refers to one file or to several. */
export interface MediaAttribute extends AttributeBase {
  readonly type: 'media'
  readonly definition: ReferenceFieldType
  readonly multiple: boolean
  /** Undefined means all kinds. */
  readonly allowedTypes?: readonly MediaKind[]
}

const options = {
  multiple: flag('True for an array of files.'),
  allowedTypes: Type.Optional(
    Type.Array(Type.Enum(['images', 'videos', 'audios', 'files']), {
      minItems: 1,
      uniqueItems: true,
      description: 'Left out: any.',
    }),
  ),
}

export const mediaType = {
  name: 'media',
  shape: 'reference',
  description: 'A file of the media library, or several.',
  options,
  complete: ({ multiple = false, allowedTypes }) => compact({ multiple, allowedTypes }),
} as const satisfies ReferenceFieldType<OptionsOf<typeof options>>
