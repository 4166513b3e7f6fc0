import { useState } from 'react'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { focalPointOf, positionOf } from '../area.ts'
import { endingOf } from '../file-format.ts'
import { iconOf, kindOf } from '../file-kind.ts'
import classes from './thumbnail.module.css'

export interface ThumbnailProps {
  readonly file: Pick<
    MediaFile,
    'url' | 'formats' | 'mimeType' | 'originalName' | 'width' | 'height' | 'focalX' | 'focalY'
  >
  /** `cover` cuts off what does not fit; `contain` shows everything. */
  readonly fit?: 'cover' | 'contain'
  /** Leaves out the file extension, for small thumbnails. */
  readonly isSmall?: boolean
}

/**
 * A thumbnail that fills its box: of an image the image, of other files an icon for the kind. The name is shown beside it, by the
 * caller.
 */
export function Thumbnail({ file, fit = 'contain', isSmall = false }: ThumbnailProps) {
  const { mimeType, originalName } = file
  const [isBroken, setBroken] = useState(false)
  const address = thumbnailAddress(file)
  if (address === undefined || isBroken) {
    return (
      <span className={classes.icon}>
        <Icon name={isBroken ? 'image-off' : iconOf(mimeType)} size={isSmall ? 'm' : 'l'} />
        {!isSmall && <span>{endingOf(originalName)}</span>}
      </span>
    )
  }
  const point = focalPointOf(file)
  return (
    <img
      className={`${classes.image} ${classes[fit]}`}
      src={address}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      {...(point === undefined ? {} : { style: { objectPosition: positionOf(point) } })}
      {...(file.width === null || file.height === null ? {} : { width: file.width, height: file.height })}
      onError={() => setBroken(true)}
    />
  )
}

/** The address of the smallest version of an image; undefined if the file is not an image. */
function thumbnailAddress({ formats, mimeType, url }: ThumbnailProps['file']): string | undefined {
  if (kindOf(mimeType) !== 'images') return undefined
  return (formats.small ?? formats.medium ?? formats.large)?.url ?? url
}
