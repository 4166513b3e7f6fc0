import { Type } from 'typebox'
import { created, defineRoute, idParams, type Route, strict } from '../../../foundation/http/http.ts'
import type { RoomWatch } from '../../../foundation/room/room.ts'
import { mediaSchema } from '../library/record-schema.ts'
import type { CropImage } from './crop-image.ts'

const maxSide = 1_000_000
const start = Type.Integer({ minimum: 0, maximum: maxSide })
const side = Type.Integer({ minimum: 1, maximum: maxSide })

/** Crops images; see docs/media.md. */
export const createCropRoute = (cropImage: CropImage, room: RoomWatch): Route =>
  defineRoute({
    access: 'permission',
    scope: 'media:write',
    policies: ['media.read', 'media.write'],
    name: 'media:files.crop',
    method: 'POST',
    path: '/media/:id/crop',
    summary: 'Make a new file of a part of an image',
    description: 'In pixels of the upright image, as `width` and `height` of its record measure it.',
    params: idParams,
    body: Type.Object({ x: start, y: start, width: side, height: side }, strict),
    response: mediaSchema,
    successStatus: 201,
    handler: ({ params, body, principal, signal }) =>
      room.guard(async () => created(await cropImage(params.id, body, { principal, signal }))),
  })
