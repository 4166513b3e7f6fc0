export interface PageParts {
  readonly apiPrefix: string
  /** The folder of the script and styles. */
  readonly base: string
  /** The nonce of the page's policy. */
  readonly nonce: string
}

/** The page of the playground; its script renders everything. */
export function playgroundPage({ apiPrefix, base, nonce }: PageParts): string {
  return `<!doctype html>
<html lang="en" data-api="${apiPrefix}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta property="csp-nonce" nonce="${nonce}">
<link rel="icon" href="data:,">
<title>GraphQL · Mortise</title>
<link rel="stylesheet" href="${base}/playground.css">
<link rel="stylesheet" href="${apiPrefix}/admin/theme.css">
<script type="module" src="${base}/playground.js"></script>
</head>
<body>
<noscript>The playground needs JavaScript.</noscript>
</body>
</html>
`
}

/** Allows only the page's own script and requests to this origin; forbids framing and HTML from text. */
export const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // The editor adds its styles as elements with the nonce.
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
