import type { EmailMessage } from './email.ts'
import { escapeHtml } from './escape-html.ts'

/** A mail in paragraphs, with a link or a code. */
export interface Letter {
  readonly to: string
  readonly subject: string
  readonly before: readonly string[]
  /** Shown as a link if it is a URL. */
  readonly value: string
  readonly after: readonly string[]
  readonly expiresAt: string
}

/** Renders the mail as text and as HTML, with escaped values. */
export function mailOf({ to, subject, before, value, after, expiresAt }: Letter): EmailMessage {
  const paragraph = (line: string) => `<p>${escapeHtml(line)}</p>`
  const html = [...before.map(paragraph), `<p>${shown(value)}</p>`, ...after.map(paragraph)].join('\n')
  return { to, subject, text: [...before, value, ...after].join('\n\n'), html, expiresAt }
}

function shown(value: string): string {
  const text = escapeHtml(value)
  return /^https?:/.test(value) ? `<a href="${text}">${text}</a>` : `<code>${text}</code>`
}
