import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { MediaArea, MediaFile } from '../../../../../../../client/client.ts'
import { areaBetween, readArea } from '../../../content/files/area.ts'
import { refreshMedia } from '../../../content/files/refresh-media.ts'
import { api } from '../../../ground/api/client.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { NumberField } from '../../../ground/kit/field/text-field.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { ImageBoard } from './image-board.tsx'
import classes from './image-tools.module.css'

type Typed = Readonly<Record<keyof MediaArea, string>>

const edges = ['x', 'y', 'width', 'height'] as const

interface CropToolProps {
  readonly file: MediaFile
  readonly onClose: () => void
}

/** Crops an image into a new file; the area is drawn with the pointer or typed. */
export function CropTool({ file, onClose }: CropToolProps) {
  const [, navigate] = useLocation()
  const size = { width: file.width ?? 1, height: file.height ?? 1 }
  const [typed, setTyped] = useState<Typed>(() => typedOf({ x: 0, y: 0, ...size }))
  const area = readArea(typed, size)
  const cropping = useMutation({
    mutationFn: (chosen: MediaArea) => api.media.crop(file.id, chosen),
    onSuccess: async (part) => {
      toast('success', t('media.cropped', { name: part.originalName }))
      navigate(`/media/${part.id}`)
      await refreshMedia()
    },
  })
  const isWhole = area?.width === size.width && area.height === size.height
  return (
    <div className={classes.tools}>
      <ImageBoard file={file} onDrag={(from, to) => setTyped(typedOf(areaBetween(from, to, size)))}>
        {area !== undefined && <Frame area={area} {...size} />}
      </ImageBoard>
      <p className={classes.help}>{t('media.cropHelp')}</p>
      <div className={classes.numbers}>
        {edges.map((edge) => (
          <NumberField
            key={edge}
            label={t(`media.area.${edge}`)}
            value={typed[edge]}
            onChange={(text) => setTyped({ ...typed, [edge]: text })}
            isInteger
          />
        ))}
      </div>
      {area === undefined && (
        <p className={classes.problem} role="alert">
          {t('media.noArea', size)}
        </p>
      )}
      <div className={classes.actions}>
        <Button
          look="primary"
          isDisabled={area === undefined || isWhole}
          isPending={cropping.isPending}
          onPress={() => area !== undefined && cropping.mutate(area)}
        >
          {t('media.saveCrop')}
        </Button>
        <Button onPress={onClose}>{t('kit.cancel')}</Button>
        {cropping.error !== null && (
          <p className={classes.problem} role="alert">
            {errorText(cropping.error)}
          </p>
        )}
      </div>
    </div>
  )
}

const typedOf = ({ x, y, width, height }: MediaArea): Typed => ({
  x: String(x),
  y: String(y),
  width: String(width),
  height: String(height),
})

/** Darkens the area that will be cut off. */
function Frame({
  area,
  width,
  height,
}: {
  readonly area: MediaArea
  readonly width: number
  readonly height: number
}) {
  return (
    <span
      className={classes.area}
      style={{
        left: `${(area.x / width) * 100}%`,
        top: `${(area.y / height) * 100}%`,
        width: `${(area.width / width) * 100}%`,
        height: `${(area.height / height) * 100}%`,
      }}
    />
  )
}
