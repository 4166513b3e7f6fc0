import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { focalPointOf, type Point, positionOf } from '../../../content/files/area.ts'
import { refreshMedia } from '../../../content/files/refresh-media.ts'
import { api } from '../../../ground/api/client.ts'
import { queryClient } from '../../../ground/api/query-client.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { fileOptions } from '../media-queries.ts'
import { ImageBoard } from './image-board.tsx'
import classes from './image-tools.module.css'

const middle: Point = { x: 0.5, y: 0.5 }

const shapes = ['wide', 'square', 'tall'] as const

interface FocalPointToolProps {
  readonly file: MediaFile
  readonly onClose: () => void
}

/** Sets the focal point, which stays visible when the image is cropped: by pointer or by two sliders. */
export function FocalPointTool({ file, onClose }: FocalPointToolProps) {
  const before = focalPointOf(file)
  const [point, setPoint] = useState(before ?? middle)
  // The version for which the point is chosen: the file may be reloaded meanwhile.
  const [version] = useState(() => queryClient.getQueryData(fileOptions(file.id).queryKey))
  const saving = useMutation({
    mutationFn: (chosen: Point | undefined) =>
      api.media.update(
        file.id,
        { focalX: chosen?.x ?? null, focalY: chosen?.y ?? null },
        version && { ifMatch: version.etag },
      ),
    onSuccess: async () => {
      await refreshMedia()
      onClose()
      toast('success', t('media.savedNow'))
    },
  })
  return (
    <div className={classes.tools}>
      <ImageBoard file={file} onDrag={(_from, to) => setPoint(to)}>
        <FocalPointMark point={point} />
      </ImageBoard>
      <p className={classes.help}>{t('media.focalPointHelp')}</p>
      <div className={classes.sliders}>
        <Slider label={t('media.fromLeft')} value={point.x} onChange={(x) => setPoint({ ...point, x })} />
        <Slider label={t('media.fromTop')} value={point.y} onChange={(y) => setPoint({ ...point, y })} />
      </div>
      <div className={classes.samples} aria-hidden="true">
        {shapes.map((shape) => (
          <img
            key={shape}
            className={`${classes.sample} ${classes[shape]}`}
            src={file.formats.small?.url ?? file.url}
            alt=""
            style={{ objectPosition: positionOf(point) }}
          />
        ))}
      </div>
      <div className={classes.actions}>
        <Button look="primary" isPending={saving.isPending} onPress={() => saving.mutate(point)}>
          {t('media.saveFocalPoint')}
        </Button>
        <Button onPress={onClose}>{t('kit.cancel')}</Button>
        {before !== undefined && (
          <Button look="plain" onPress={() => saving.mutate(undefined)}>
            {t('media.removeFocalPoint')}
          </Button>
        )}
        {saving.error !== null && (
          <p className={classes.problem} role="alert">
            {errorText(saving.error)}
          </p>
        )}
      </div>
    </div>
  )
}

/** The marker of the focal point. */
export function FocalPointMark({ point }: { readonly point: Point }) {
  return <span className={classes.mark} style={{ left: `${point.x * 100}%`, top: `${point.y * 100}%` }} />
}

interface SliderProps {
  readonly label: string
  /** 0 to 1 */
  readonly value: number
  readonly onChange: (value: number) => void
}

/** A slider in steps of 0.01, by the arrow keys. */
function Slider({ label, value, onChange }: SliderProps) {
  const percent = Math.round(value * 100)
  return (
    <label className={classes.slider}>
      {t('media.percent', { label, percent })}
      <input
        type="range"
        min={0}
        max={100}
        value={percent}
        aria-label={label}
        aria-valuetext={`${percent} %`}
        onChange={(event) => onChange(Number(event.target.value) / 100)}
      />
    </label>
  )
}
