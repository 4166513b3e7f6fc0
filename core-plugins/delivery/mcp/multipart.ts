import { randomUUID } from 'node:crypto'
import { AppError, type ErrorDetail } from '../../foundation/http/http.ts'
import type { JsonSchema } from './tool.ts'

/** A file in the arguments of a tool. */
const fileSchema = {
  type: 'object',
  required: ['filename', 'base64'],
  properties: {
    filename: { type: 'string', description: 'With its extension: `sunset.jpg`' },
    base64: { type: 'string', description: 'The bytes of the file in base64' },
  },
  additionalProperties: false,
}

/** Whether a part of a form is a file. */
function isBinary(schema: JsonSchema): boolean {
  return schema.contentMediaType === 'application/octet-stream'
}

/** The schema of a form as the argument of a tool: files are objects, since JSON cannot contain bytes. */
export function formSchema(schema: JsonSchema): JsonSchema {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const converted = properties.map(([name, part]) => {
    if (isBinary(part)) return [name, fileSchema]
    const items = part.items as JsonSchema | undefined
    return [name, items !== undefined && isBinary(items) ? { type: 'array', items: fileSchema } : part]
  })
  return { ...schema, properties: Object.fromEntries(converted) }
}

export interface EncodedBody {
  readonly contentType: string
  readonly body: Buffer
}

/** Encodes arguments that match `formSchema` as a form. @throws AppError 400 with all problems */
export function encodeForm(given: unknown): EncodedBody {
  const boundary = `mortise-${randomUUID()}`
  const problems: ErrorDetail[] = []
  const parts: Buffer[] = []
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw AppError.invalid([{ path: 'data', code: 'type', message: 'must be an object' }])
  }
  for (const [name, value] of Object.entries(given)) {
    for (const [index, one] of [value].flat().entries()) {
      const path = Array.isArray(value) ? `data.${name}.${index}` : `data.${name}`
      const part = encodePart(name, one, { path, problems })
      if (part !== undefined)
        parts.push(Buffer.from(`--${boundary}\r\n${part.head}\r\n\r\n`), part.body, lineEnd)
    }
  }
  if (problems.length > 0) throw AppError.invalid(problems)
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) }
}

const lineEnd = Buffer.from('\r\n')

interface PartPlace {
  readonly path: string
  readonly problems: ErrorDetail[]
}

function encodePart(
  name: string,
  value: unknown,
  place: PartPlace,
): { head: string; body: Buffer } | undefined {
  const disposition = `content-disposition: form-data; name="${quoted(name)}"`
  if (typeof value !== 'object') return { head: disposition, body: Buffer.from(String(value)) }
  if (value === null) return undefined
  const { filename, base64 } = value as Readonly<Record<string, unknown>>
  if (typeof filename !== 'string' || filename === '')
    return problem(place, 'filename', 'must be the name of a file')
  if (typeof base64 !== 'string' || !isBase64(base64))
    return problem(place, 'base64', 'must be the bytes of a file in base64')
  const head = `${disposition}; filename="${quoted(filename)}"\r\ncontent-type: application/octet-stream`
  return { head, body: Buffer.from(base64, 'base64') }
}

function problem({ path, problems }: PartPlace, member: string, message: string): undefined {
  problems.push({ path: `${path}.${member}`, code: 'format', message })
}

export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}

/**
 * Encodes a part name as browsers do (https://html.spec.whatwg.org/#multipart-form-data), so that it cannot contain line
 * breaks.
 */
function quoted(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}
