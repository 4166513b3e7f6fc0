/** The viewer, from the path of its files; its script and styles come from this server, never from elsewhere. */
export function viewerPage(assets: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Mortise API</title>
<link rel="stylesheet" href="${assets}/swagger-ui.css">
</head>
<body>
<div id="viewer"></div>
<script src="${assets}/swagger-ui-bundle.js"></script>
<script src="${assets}/viewer.js"></script>
</body>
</html>
`
}

/** Credentials that are entered are gone with the page. */
export function viewerScript(apiPrefix: string): string {
  return `// Earlier versions kept what was entered under Authorize.
localStorage.removeItem('authorized')
SwaggerUIBundle({
  url: '${apiPrefix}/_docs/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
})
`
}
