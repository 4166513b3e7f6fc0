/** Words in HTML or plain text; tags and entities are not counted. */
export function countWords(text: string): number {
  const plain = text.replace(/<[^>]*>/g, ' ').replace(/&[a-z0-9#]+;/gi, ' ')
  return plain.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}
