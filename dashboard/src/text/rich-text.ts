import { catalogue } from './catalogue.ts'

export const richText = catalogue({
  formats: ['Format', 'Format', 'Formato'],
  bold: ['Bold', 'Fett', 'Negrita'],
  italic: ['Italic', 'Kursiv', 'Cursiva'],
  heading: ['Heading', 'Überschrift', 'Título'],
  subheading: ['Subheading', 'Unterüberschrift', 'Subtítulo'],
  list: ['List', 'Liste', 'Lista'],
  numbers: ['Numbered list', 'Nummerierte Liste', 'Lista numerada'],
  quote: ['Quote', 'Zitat', 'Cita'],
  link: ['Link', 'Link', 'Enlace'],
  address: ['Address of the link', 'Adresse des Links', 'Dirección del enlace'],
  setLink: ['Set link', 'Link setzen', 'Poner enlace'],
  removeLink: ['Remove link', 'Link entfernen', 'Quitar enlace'],
  wrongAddress: [
    'Write a web or email address, such as https://example.com.',
    'Schreiben Sie eine Web- oder E-Mail-Adresse, etwa https://example.com.',
    'Escriba una dirección web o de correo, como https://example.com.',
  ],
  undo: ['Undo', 'Rückgängig', 'Deshacer'],
  redo: ['Redo', 'Wiederholen', 'Rehacer'],
  onlyHtml: [
    'This text has parts that can only be edited as HTML: {parts}.',
    'Dieser Text hat Teile, die nur als HTML bearbeitet werden können: {parts}.',
    'Este texto tiene partes que solo se pueden editar como HTML: {parts}.',
  ],
  cleaned: [
    'Scripts and unsafe parts are removed.',
    'Skripte und unsichere Teile werden entfernt.',
    'Se quitan los scripts y las partes inseguras.',
  ],
})
