import type { ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Button } from '../../../ground/kit/button/button.tsx'

export interface UploadButtonProps {
  readonly onFiles: (files: readonly File[]) => void
  /** Media types to choose from; empty for all. */
  readonly accepted?: readonly string[]
  readonly allowsMultiple?: boolean
  readonly look?: 'primary' | 'secondary'
  readonly icon?: string
  readonly isPending?: boolean
  readonly children: ReactNode
}

/** Opens the browser's dialog to choose files. */
export function UploadButton(props: UploadButtonProps) {
  const {
    onFiles,
    accepted = [],
    allowsMultiple = true,
    look = 'primary',
    icon = 'upload',
    isPending = false,
    children,
  } = props
  return (
    <FileTrigger
      allowsMultiple={allowsMultiple}
      {...(accepted.length === 0 ? {} : { acceptedFileTypes: accepted })}
      onSelect={(files) => files !== null && onFiles([...files])}
    >
      <Button look={look} icon={icon} isPending={isPending}>
        {children}
      </Button>
    </FileTrigger>
  )
}
