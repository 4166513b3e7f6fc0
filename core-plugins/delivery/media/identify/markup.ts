/**
 * Tags that make browsers treat text as HTML
 * (https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type).
 */
const htmlStart =
  /^<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[\s/>-]/i

/** The first characters of scripts, and the opening tags of code inside pages. */
const scriptStart = /^(#!|<\?php|<\?=|<%)/i

/** Processing instructions, including the XML declaration. */
const instruction = /^<\?[\s\S]*?\?>/
const comment = /^<!--[\s\S]*?-->/
const doctype = /^<!doctype\s+([a-z:]+)[^>[]*(\[[\s\S]*?\])?\s*>/i

/** Whether the beginning of a text looks like something that a browser or a server would execute. */
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

/** The beginning of a GIF that is also a script: read as text, its width opens a comment. */
const gifComment = /^GIF8[79]a\/\*/
const pdfComments = /^(%[^\r\n]*[\r\n]+)+/

/**
 * Whether a binary file begins like a page or a script. Browsers look at nothing else, so texts further on (captions, titles,
 * review comments) may contain anything.
 */
export function beginsLikeProgram(head: Buffer): boolean {
  const start = head.toString('latin1')
  return gifComment.test(start) || looksLikeProgram(start.replace(pdfComments, ''))
}

const embedded = /<(script|html|!doctype html|iframe|body|object|embed|svg[\s/][^>]*onload)[\s/>]|<\?php/i

/** Whether bytes outside of the picture data contain a page or a script that careless software might execute. */
export function hidesMarkup(bytes: Buffer): boolean {
  return embedded.test(bytes.toString('latin1'))
}
