/** The viewer; its script and styles come from this server, never from elsewhere. */
export function viewerPage(apiPrefix: string): string {
  const assets = `${apiPrefix}/_docs/assets`
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

export function viewerScript(apiPrefix: string): string {
  return `SwaggerUIBundle({
  url: '${apiPrefix}/_docs/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: true,
})
`
}
