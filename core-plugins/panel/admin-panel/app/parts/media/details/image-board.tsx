import { type PointerEvent, type ReactNode, useRef } from 'react'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { type Point, pointIn } from '../../../content/files/area.ts'
import classes from './image-board.module.css'

export interface ImageBoardProps {
  readonly file: MediaFile
  /** What is drawn over the image. */
  readonly children?: ReactNode
  /** Called while dragging, with the start and current point. The caller must offer a keyboard alternative. */
  readonly onDrag?: (from: Point, to: Point) => void
}

/** The image at the largest size that fits, to view or point into. */
export function ImageBoard({ file, children, onDrag }: ImageBoardProps) {
  const { width, height, alt } = file
  const start = useRef<Point>(undefined)
  const pointOf = (event: PointerEvent) => pointIn(event.currentTarget.getBoundingClientRect(), event)
  const handlers = onDrag && {
    onPointerDown: (event: PointerEvent) => {
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = pointOf(event)
      onDrag(start.current, start.current)
    },
    onPointerMove: (event: PointerEvent) => {
      if (start.current !== undefined) onDrag(start.current, pointOf(event))
    },
    onPointerUp: () => {
      start.current = undefined
    },
    onPointerCancel: () => {
      start.current = undefined
    },
  }
  return (
    <div className={classes.stage}>
      <div className={`${classes.board} ${onDrag === undefined ? '' : classes.active}`} {...handlers}>
        <img
          className={classes.image}
          src={previewAddress(file)}
          alt={alt ?? ''}
          draggable={false}
          {...(width === null || height === null ? {} : { width, height })}
        />
        {children}
      </div>
    </div>
  )
}

/** The URL of the largest thumbnail, which is sharp enough and much smaller than the file. */
const previewAddress = ({ formats, url }: Pick<MediaFile, 'formats' | 'url'>): string =>
  (formats.large ?? formats.medium)?.url ?? url
