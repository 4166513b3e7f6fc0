/** Tags by which browsers take text for HTML (https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type). */
const htmlStart =
  /^<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[\s/>-]/i

/** First lines of programs, and what begins code inside pages. */
const scriptStart = /^(#!|<\?php|<\?=|<%)/i

/** Processing instructions, the declaration of XML among them. */
const instruction = /^<\?[\s\S]*?\?>/
const comment = /^<!--[\s\S]*?-->/
const doctype = /^<!doctype\s+([a-z:]+)[^>[]*(\[[\s\S]*?\])?\s*>/i

/** Whether text looks, by its beginning, as if a browser or a server should run it. */
export function looksLikeProgram(text: string): boolean {
  const start = text.replace(/^\uFEFF?\s*/, '')
  return htmlStart.test(start) || scriptStart.test(start)
}

/** The name of the first element of XML, without its prefix; undefined if the text does not begin like XML. */
export function rootElementOf(text: string): string | undefined {
  let rest = text.replace(/^\uFEFF?\s*/, '')
  for (let before = ''; before !== rest; ) {
    before = rest
    for (const part of [instruction, comment, doctype]) rest = rest.replace(part, '').trimStart()
  }
  return /^<(?:[\w.-]+:)?([\w.-]+)[\s/>]/.exec(rest)?.[1]?.toLowerCase()
}

/** What a GIF begins with that is a script, too: the width, as text, opens a comment. */
const gifComment = /^GIF8[79]a\/\*/
const pdfComments = /^(%[^\r\n]*[\r\n]+)+/

/**
 * Whether a binary file begins like a page or a script. Nothing else decides for a browser, so texts further on (captions,
 * titles, the comments of a reviewer) may hold whatever they like.
 */
export function beginsLikeProgram(head: Buffer): boolean {
  const start = head.toString('latin1')
  return gifComment.test(start) || looksLikeProgram(start.replace(pdfComments, ''))
}

const embedded = /<(script|html|!doctype html|iframe|body|object|embed|svg[\s/][^>]*onload)[\s/>]|<\?php/i

/** Whether bytes that have no place in a picture contain a page or a script that a careless reader might run. */
export function hidesMarkup(bytes: Buffer): boolean {
  return embedded.test(bytes.toString('latin1'))
}
