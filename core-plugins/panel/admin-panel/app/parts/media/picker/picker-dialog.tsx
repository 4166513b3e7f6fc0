import { useState } from 'react'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { acceptedTypes, fileKinds, kindOf } from '../../../content/files/file-kind.ts'
import type { FilePickerProps } from '../../../content/files/file-picker.tsx'
import { uploads } from '../../../content/files/upload/uploads.ts'
import { useUploadLimits } from '../../../content/files/upload/use-upload-limits.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Dialog } from '../../../ground/kit/dialog/dialog.tsx'
import { FileBrowser } from '../browse/file-browser.tsx'
import { FileToolbar } from '../browse/file-toolbar.tsx'
import { useMediaList } from '../media-queries.ts'
import { initialView, type MediaView } from '../media-view.ts'
import { DropArea } from '../upload/drop-area.tsx'
import { UploadButton } from '../upload/upload-button.tsx'
import classes from './picker-dialog.module.css'
import { PickerFolder } from './picker-folder.tsx'

/** The dialog of `FilePicker`. Uploaded files are selected automatically. */
export default function PickerDialog(props: FilePickerProps) {
  const { isOpen, onClose, onPick, allowsMultiple = false, allowedKinds = [], folder } = props
  const kinds =
    allowedKinds.length === 0 ? fileKinds : fileKinds.filter((kind) => allowedKinds.includes(kind))
  const [view, setView] = useState<MediaView>({
    ...initialView,
    folder: folder ?? 'all',
    kind: kinds.length === 1 ? (kinds[0] ?? 'all') : 'all',
  })
  const change = (part: Partial<MediaView>) => setView({ ...view, ...part })
  const list = useMediaList(view)
  const files = list.files?.filter(({ mimeType }) => kinds.includes(kindOf(mimeType)))
  const [chosen, setChosen] = useState<ReadonlyMap<number, MediaFile>>(new Map())
  const choose = (ids: ReadonlySet<number>) => setChosen(chosenOf(ids, chosen, files ?? []))
  const mayUpload = useAccess().mayMedia('write')
  const upload = useUploadInto(view.folder, kinds, (file) =>
    setChosen((before) => new Map([...(allowsMultiple ? before : []), [file.id, file]])),
  )
  return (
    <Dialog
      title={allowsMultiple ? t('media.pickMany') : t('media.pickOne')}
      size="l"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          {mayUpload && (
            <UploadButton
              look="secondary"
              accepted={acceptedTypes(kinds)}
              allowsMultiple={allowsMultiple}
              onFiles={upload}
            >
              {t('media.upload.start')}
            </UploadButton>
          )}
          <Choice files={[...chosen.values()]} onClose={onClose} onPick={onPick} />
        </>
      }
    >
      <DropArea
        className={classes.content}
        isEnabled={mayUpload}
        onFiles={upload}
        hint={t('media.upload.drop')}
      >
        <div className={classes.tools}>
          <PickerFolder value={view.folder} onChange={(value) => change({ folder: value })} />
          <FileToolbar view={view} kinds={kinds} hasLayouts={false} onChange={change} />
        </div>
        <FileBrowser
          view={{ ...view, layout: 'grid' }}
          list={{ ...list, files }}
          onChange={change}
          selectionMode={allowsMultiple ? 'multiple' : 'single'}
          selection={new Set(chosen.keys())}
          onSelect={choose}
          {...(mayUpload ? { onUpload: upload } : {})}
        />
      </DropArea>
    </Dialog>
  )
}

interface ChoiceProps extends Pick<FilePickerProps, 'onClose' | 'onPick'> {
  readonly files: readonly MediaFile[]
}

/** The number of chosen files, and the buttons to confirm or cancel. */
function Choice({ files, onClose, onPick }: ChoiceProps) {
  return (
    <>
      <span className={classes.space} role="status">
        {files.length > 0 && t('media.selected', { count: files.length })}
      </span>
      <Button onPress={onClose}>{t('kit.cancel')}</Button>
      <Button
        look="primary"
        isDisabled={files.length === 0}
        onPress={() => {
          onClose()
          onPick(files)
        }}
      >
        {t('media.pick')}
      </Button>
    </>
  )
}

/** The chosen files in the order of choice, including those outside the current folder or search. */
function chosenOf(
  ids: ReadonlySet<number>,
  before: ReadonlyMap<number, MediaFile>,
  shown: readonly MediaFile[],
): ReadonlyMap<number, MediaFile> {
  const known = new Map([...before, ...shown.map((file): [number, MediaFile] => [file.id, file])])
  const order = [
    ...[...before.keys()].filter((id) => ids.has(id)),
    ...[...ids].filter((id) => !before.has(id)),
  ]
  return new Map(order.flatMap((id) => (known.has(id) ? [[id, known.get(id) as MediaFile]] : [])))
}

function useUploadInto(
  folder: MediaView['folder'],
  kinds: Parameters<typeof acceptedTypes>[0],
  onStored: (file: MediaFile) => void,
) {
  const limits = useUploadLimits()
  const accepted = acceptedTypes(kinds)
  return (files: readonly File[]) =>
    uploads.add(files, {
      folder: typeof folder === 'number' ? folder : undefined,
      limits: accepted.length === 0 ? limits : { ...limits, allowedTypes: accepted },
      onStored,
    })
}
