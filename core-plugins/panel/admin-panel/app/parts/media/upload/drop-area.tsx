import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import classes from './drop-area.module.css'

export interface DropAreaProps {
  /** The effect of dropping: "Upload into Photos". */
  readonly hint: string
  /** If false, nothing can be dropped or pasted. */
  readonly isEnabled: boolean
  readonly onFiles: (files: readonly File[]) => void
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** An area for dropping files; pasted files are accepted unless the user is typing. */
export function DropArea({ hint, isEnabled, onFiles, className = '', children }: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  // Enter and leave events fire for every element under the pointer.
  const depth = useRef(0)
  usePastedFiles(isEnabled, onFiles)
  const leave = () => {
    depth.current = 0
    setOver(false)
  }
  const handlers = {
    onDragEnter: (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth.current += 1
      setOver(true)
    },
    onDragOver: (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    },
    onDragLeave: (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth.current -= 1
      if (depth.current <= 0) leave()
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      leave()
      onFiles(filesOf(event.dataTransfer))
    },
  }
  return (
    <div className={`${classes.area} ${className}`} {...(isEnabled ? handlers : {})}>
      {children}
      {isOver && (
        <p className={classes.hint}>
          <Icon name="upload" size="l" />
          {hint}
        </p>
      )}
    </div>
  )
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Leaves out folders, which browsers report as unreadable files. */
function filesOf(transfer: DataTransfer): File[] {
  return [...transfer.items].flatMap((item) => {
    const file = item.kind === 'file' ? item.getAsFile() : null
    return file === null || item.webkitGetAsEntry()?.isDirectory === true ? [] : [file]
  })
}

function usePastedFiles(isEnabled: boolean, onFiles: (files: readonly File[]) => void) {
  useEffect(() => {
    if (!isEnabled) return
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      const isWriting =
        event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]')
      if (files.length === 0 || isWriting) return
      event.preventDefault()
      onFiles(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [isEnabled, onFiles])
}
