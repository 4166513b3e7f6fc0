/** The viewer's page. `assets` is the path of its script and styles, which this server delivers itself. */
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

/** Entered credentials are not stored, and are lost when the page is closed. */
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
