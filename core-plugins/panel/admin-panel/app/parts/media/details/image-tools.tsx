import { useState } from 'react'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { focalPointOf } from '../../../content/files/area.ts'
import { isHardlyShown } from '../../../content/files/file-kind.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { CropTool } from './crop-tool.tsx'
import { FocalPointMark, FocalPointTool } from './focal-point-tool.tsx'
import { ImageBoard } from './image-board.tsx'
import classes from './image-tools.module.css'

const vector = 'image/svg+xml'

/** An image with its tools: focal point and crop. */
export function ImageTools({ file }: { readonly file: MediaFile }) {
  const [tool, setTool] = useState<'focus' | 'crop'>()
  const mayWrite = useAccess().mayMedia('write')
  const close = () => setTool(undefined)
  const isUnseen = isHardlyShown(file.mimeType)
  const hasPixels = file.width !== null && file.height !== null && !isUnseen
  if (tool === 'focus') return <FocalPointTool file={file} onClose={close} />
  if (tool === 'crop') return <CropTool file={file} onClose={close} />
  const point = focalPointOf(file)
  return (
    <div className={classes.tools}>
      <ImageBoard file={file}>{point !== undefined && <FocalPointMark point={point} />}</ImageBoard>
      {isUnseen && <p className={classes.help}>{t('media.hardlyShown')}</p>}
      {mayWrite && hasPixels && (
        <div className={classes.actions}>
          <Button icon="target" onPress={() => setTool('focus')}>
            {t('media.focalPoint')}
          </Button>
          {file.mimeType !== vector && (
            <Button icon="crop" onPress={() => setTool('crop')}>
              {t('media.crop')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
