import { Type } from 'typebox'
import { idSchema, orNull, timestampSchema } from '../../../foundation/http/http.ts'

/** A media record. Further properties are allowed: `media.extension.json` may add some. */
export const mediaSchema = Type.Object({
  id: idSchema,
  filename: Type.String(),
  originalName: Type.String(),
  mimeType: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
  url: Type.String({ description: 'A path of this service, unless `storage.baseUrl` is an address' }),
  width: orNull(Type.Integer()),
  height: orNull(Type.Integer()),
  alt: orNull(Type.String()),
  caption: orNull(Type.String()),
  focalX: orNull(Type.Union([Type.Number(), Type.String()], { description: '0 (left) to 1 (right)' })),
  focalY: orNull(Type.Union([Type.Number(), Type.String()], { description: '0 (top) to 1 (bottom)' })),
  tags: orNull(Type.String({ description: 'Separated by commas' })),
  folder: orNull(idSchema),
  formats: Type.Record(
    Type.String(),
    Type.Object({ url: Type.String(), width: Type.Integer() }, { additionalProperties: false }),
  ),
  placeholder: orNull(Type.String({ description: 'A ThumbHash in base64' })),
  created_at: timestampSchema,
  updated_at: timestampSchema,
})

/** A folder. Further properties are allowed: `media-folder.extension.json` may add some. */
export const folderSchema = Type.Object({
  id: idSchema,
  name: Type.String(),
  parent: orNull(idSchema),
  created_at: timestampSchema,
  updated_at: timestampSchema,
})
