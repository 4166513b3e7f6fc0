const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** HTML or plain text as one line of plain text. */
export function plainText(text: string): string {
  const withoutTags = text.replace(/<[^>]*>/g, ' ')
  const decoded = withoutTags.replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => entities[name] ?? ' ')
  return decoded.replace(/\s+/g, ' ').trim()
}

/** At most `limit` characters, cut between words where there are any, with an ellipsis. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text
  const room = limit - 1
  // Not within a character that takes two units.
  const cut = text.slice(0, /[\ud800-\udbff]/.test(text[room - 1] ?? '') ? room - 1 : room)
  const lastSpace = text[room] === ' ' ? room : cut.lastIndexOf(' ')
  const words = lastSpace > room / 2 ? cut.slice(0, lastSpace) : cut
  return `${words.replace(/[\s,.;:–-]+$/, '')}…`
}
