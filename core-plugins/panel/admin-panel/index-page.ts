import type { BuiltApp } from './build/built-app.ts'
import { assetsPath } from './panel-path.ts'

/** The values inserted into the pages. */
export interface PageParts {
  readonly app: BuiltApp
  readonly apiPrefix: string
  /** The nonce in the page's Content Security Policy. */
  readonly nonce: string
  /** Whether the page reloads after changes of the sources. */
  readonly isLive: boolean
}

/** The page of the application, for every path below `/admin`. */
export function indexPage(parts: PageParts): string {
  const { entries } = parts.app
  const preloads = entries.panelImports.map((file) => preload('modulepreload', file))
  return page(parts, [
    link('stylesheet', entries.styles),
    ...preloads,
    `<script type="module" src="${assetsPath}${entries.panel}"></script>`,
  ])
}

/**
 * The sign-in page. It is small and has no framework; while the user types, the browser loads the application, which then takes
 * over this document.
 */
export function signInPage(parts: PageParts): string {
  const { entries } = parts.app
  return page(parts, [
    link('stylesheet', entries.signInStyles),
    `<script type="module" src="${assetsPath}${entries.signIn}"></script>`,
    `<link rel="preload" as="style" href="${assetsPath}${entries.styles}" data-panel-styles>`,
    ...[entries.panel, ...entries.panelImports].map((file) => preload('modulepreload', file)),
  ])
}

function page({ apiPrefix, nonce, isLive }: PageParts, head: readonly string[]): string {
  return `<!doctype html>
<html lang="en" data-api="${apiPrefix}"${isLive ? ' data-live' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta property="csp-nonce" nonce="${nonce}">
<link rel="icon" href="data:,">
<title>Mortise</title>
${head.join('\n')}
<link rel="stylesheet" href="${apiPrefix}/admin/theme.css">
</head>
<body>
<div id="root"></div>
<noscript>The admin panel needs JavaScript.</noscript>
</body>
</html>
`
}

const link = (rel: string, file: string) => `<link rel="${rel}" href="${assetsPath}${file}">`
const preload = link
