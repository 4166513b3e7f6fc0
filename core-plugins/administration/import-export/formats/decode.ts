import { AppError } from '../../../foundation/http/http.ts'

/** Decodes UTF-8, without a byte order mark. @throws AppError 400 for anything else */
export async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw AppError.invalid([{ path: 'body', code: 'encoding', message: 'must be UTF-8' }])
  }
}
