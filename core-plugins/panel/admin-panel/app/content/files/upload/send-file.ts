import { type MediaFile, MortiseError } from '../../../../../../../client/client.ts'
import { sendForm } from '../../../ground/api/send-form.ts'

export interface SentFile {
  readonly file: File
  /** A folder's id, for new files. */
  readonly folder?: number | undefined
  /** Replaces the content of this record instead of making another. */
  readonly replaces?: number | undefined
  readonly signal: AbortSignal
  readonly onProgress: (sentBytes: number) => void
}

/** Sends one file into the library. @throws MortiseError, and NetworkError if there is no response */
export const sendFile = ({ file, folder, replaces, signal, onProgress }: SentFile): Promise<MediaFile> =>
  sendForm({
    method: replaces === undefined ? 'POST' : 'PUT',
    path: replaces === undefined ? '/upload' : `/media/${replaces}/file`,
    signal,
    onProgress: (sent) => onProgress(Math.min(sent, file.size)),
    form() {
      const form = new FormData()
      // Before the file, so that the service knows the folder when it reads the file.
      if (folder !== undefined) form.append('folderId', String(folder))
      form.append('file', file, file.name)
      return form
    },
  })

/** Whether the error concerns the file itself, so that sending it again would not help. */
export const isRefusal = (error: unknown): error is MortiseError =>
  error instanceof MortiseError && error.status >= 400 && error.status < 500 && error.status !== 429
