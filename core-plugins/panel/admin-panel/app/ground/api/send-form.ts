import { toError } from '../../../../../../client/transport.ts'
import { apiPrefix } from '../session/api-prefix.ts'
import { session } from '../session/session.ts'

export interface SentForm {
  readonly method: 'POST' | 'PUT'
  /** Below the API prefix. */
  readonly path: string
  readonly form: () => FormData
  readonly signal: AbortSignal
  readonly onProgress: (sentBytes: number) => void
}

/** The connection failed or was interrupted. */
export class NetworkError extends Error {}

/**
 * Sends a form with a file. It uses XMLHttpRequest, because `fetch` does not report upload progress. If the session has ended, it
 * waits for the next one, like every other request.
 * @throws MortiseError, and NetworkError if there is no response
 */
export async function sendForm<Data>(sent: SentForm): Promise<Data> {
  for (;;) {
    const token = await session.token()
    const { status, text } = await request(sent, token)
    if (status === 401) {
      session.refused(token)
      await session.opened()
      continue
    }
    const body = parse(text)
    if (status < 200 || status > 299) throw toError(new Response(text, { status: status || 500 }), body)
    return (body as { readonly data: Data }).data
  }
}

function request({ method, path, form, signal, onProgress }: SentForm, token: string | undefined) {
  const sender = new XMLHttpRequest()
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    sender.upload.onprogress = ({ loaded }) => onProgress(loaded)
    sender.onload = () => resolve({ status: sender.status, text: sender.responseText })
    sender.onerror = () => reject(new NetworkError('the connection broke'))
    sender.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => sender.abort())
    sender.open(method, apiPrefix + path)
    sender.setRequestHeader('authorization', `Bearer ${token}`)
    sender.send(form())
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
