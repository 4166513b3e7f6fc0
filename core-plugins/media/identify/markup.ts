/** Tags by which browsers take text for HTML (https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type). */
const htmlStart =
  /^<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[\s/>-]/i

/** First lines of programs, and what begins code inside pages. */
const scriptStart = /^(#!|<\?php|<\?=|<%)/i

const xmlProlog = /^<\?xml[^>]*\?>/i
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
  for (const part of [xmlProlog, comment, doctype, comment]) {
    let shorter = rest.replace(part, '').trimStart()
    while (part === comment && shorter !== rest) {
      rest = shorter
      shorter = rest.replace(part, '').trimStart()
    }
    rest = shorter
  }
  return /^<(?:[\w.-]+:)?([\w.-]+)[\s/>]/.exec(rest)?.[1]?.toLowerCase()
}

const embedded = /<(script|html|!doctype html|iframe|body|object|embed|svg[\s/][^>]*onload)[\s/>]|<\?php/i

/** Whether a binary file contains a page or a script that a careless reader might run. */
export function hidesMarkup(bytes: Buffer): boolean {
  return embedded.test(bytes.toString('latin1'))
}
