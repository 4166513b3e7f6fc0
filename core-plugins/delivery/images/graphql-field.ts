import type { GraphqlExtension } from '../graphql/graphql.ts'
import type { MediaRecord } from '../media/media.ts'
import type { ImageRequest } from './address/image-addresses.ts'
import { imageFits, imageFormats } from './address/image-options.ts'
import { type AddressFor, isRaster } from './routes/address-route.ts'

type NamedRecord = Parameters<AddressFor>[1] & Pick<MediaRecord, 'id'>

/** The field `imageUrl` of media: null for files that are not raster images. */
export const imageUrlField = (addressFor: AddressFor): GraphqlExtension => ({
  types: `enum ImageFit { ${imageFits.join(' ')} } enum ImageFormat { ${imageFormats.join(' ')} }`,
  fieldsOf(type) {
    if (type.name !== 'media') return {}
    return {
      imageUrl: {
        type: 'String',
        arguments:
          'width: Int, height: Int, fit: ImageFit, format: ImageFormat, quality: Int, blur: Int, preset: String',
        description:
          'The address of the image at another size; whoever may not have any gets those that need no signature',
        needs: ['filename', 'mimeType', 'width', 'height', 'focalX', 'focalY'],
        load: async (queries, { principal }) =>
          queries.map(({ entry, args }) => addressOrError(addressFor, principal, entry, args)),
      },
    }
  },
})

function addressOrError(
  addressFor: AddressFor,
  principal: Parameters<AddressFor>[0],
  entry: unknown,
  args: unknown,
): unknown {
  const media = entry as NamedRecord
  if (!isRaster(media)) return null
  try {
    return addressFor(principal, media, withoutNulls(args as ImageRequest))
  } catch (error) {
    return error
  }
}

/** Omitted variables may arrive as null. */
function withoutNulls(request: ImageRequest): ImageRequest {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null))
}
