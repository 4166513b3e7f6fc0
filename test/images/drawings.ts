const drawing = (attributes: string, prolog = '') =>
  `${prolog}<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="5" height="5"/></svg>`

const illustrator = `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/">
]>
`

/** Drawings with the ways in which a root says its size. */
export const drawings: readonly string[] = [
  ...['px', 'mm', 'cm', 'in', 'pt', 'pc', 'Q', 'em', 'rem', 'ch', 'MM'].map((unit) =>
    drawing(`width="21${unit}" height="29.7${unit}"`),
  ),
  ...[
    'width="210mm" height="297mm"',
    'width="100%" height="100%" viewBox="0 0 400 300"',
    'width="50%" height="50%"',
    'viewBox="0 0 400 300"',
    'viewBox=" -5 -5  , 100 ,400 "',
    'viewBox="0 0 20 10"',
    'viewBox="0 0 400 300" preserveAspectRatio="none"',
    'viewBox="0 0 0 0"',
    'viewBox="0 0 -40 30"',
    'viewBox="0 0 40px 30px"',
    'viewBox="0 0 40 30 5"',
    '',
    'width="200"',
    'width="200" viewBox="0 0 400 300"',
    'width="100" viewBox="0 0 400 300" preserveAspectRatio="none"',
    'width="100" height="70" preserveAspectRatio="none"',
    'height="200" viewBox="0 0 400 300"',
    'width="auto" height="100" viewBox="0 0 400 300"',
    'width="10.4" height="10.6"',
    'width="1e2" height="+5.5e1px"',
    'width="12foo" height="10" viewBox="0 0 5 5"',
    'width=" 12 " height="10 px"',
    'width="10." height=""',
    'style="width:100%" width="20" height="30"',
  ].map((attributes) => drawing(attributes)),
  drawing('width="210mm" height="297mm" xmlns:x="&ns_extend;"', illustrator),
  '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="1cm" height="2cm"/>',
]
