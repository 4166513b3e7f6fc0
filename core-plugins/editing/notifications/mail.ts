import { escapeHtml } from '../../accounts/email/email.ts'

/** A line of a mail; a link if it has a URL. */
export interface Line {
  readonly text: string
  /** Empty: no link. */
  readonly url: string
  /** The text below the line. */
  readonly note?: string
}

export interface Block {
  readonly heading: string
  readonly lines: readonly Line[]
}

/** The content of a mail, from top to bottom. */
export interface Body {
  readonly opening: readonly string[]
  readonly blocks: readonly Block[]
  readonly closing: readonly Line[]
}

/** The body as plain text. */
export function textOf({ opening, blocks, closing }: Body): string {
  const item = (line: Line) => `- ${filled([line.text, line.note, line.url]).join('\n  ')}`
  return [
    ...opening,
    ...blocks.map(({ heading, lines }) => [heading, ...lines.map(item)].join('\n')),
    ...closing.map(({ text, url }) => filled([text, url]).join('\n')),
  ].join('\n\n')
}

/** The body as HTML, with all text escaped. */
export function htmlOf({ opening, blocks, closing }: Body): string {
  const paragraph = (html: string) => `<p>${html}</p>`
  const item = ({ text, url, note }: Line) =>
    `<li>${filled([linked(text, url), note && escapeHtml(note)]).join('<br>')}</li>`
  return [
    ...opening.map((text) => paragraph(escapeHtml(text))),
    ...blocks.flatMap(({ heading, lines }) => [
      paragraph(`<strong>${escapeHtml(heading)}</strong>`),
      ...(lines.length === 0 ? [] : [`<ul>${lines.map(item).join('\n')}</ul>`]),
    ]),
    ...closing.map(({ text, url }) => paragraph(filled([escapeHtml(text), linked(url, url)]).join('<br>'))),
  ].join('\n')
}

const filled = (texts: readonly (string | undefined)[]) =>
  texts.filter((text) => text !== undefined && text !== '')

function linked(text: string, url: string): string {
  return url === '' ? escapeHtml(text) : `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`
}

/** The text on one line, without characters that change the text direction, and at most `most` characters long. */
export function oneLine(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`
}
