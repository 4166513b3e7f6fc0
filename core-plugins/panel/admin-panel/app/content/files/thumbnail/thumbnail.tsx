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
  /** Without the ending of the name, where there is room for a picture only. */
  readonly isSmall?: boolean
}

/** A picture of a file that fills its box: of an image itself, of others the kind. The name stands beside it. */
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

/** The smallest picture of an image; undefined for what is none. */
function thumbnailAddress({ formats, mimeType, url }: ThumbnailProps['file']): string | undefined {
  if (kindOf(mimeType) !== 'images') return undefined
  return (formats.small ?? formats.medium ?? formats.large)?.url ?? url
}
