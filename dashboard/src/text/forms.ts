import { catalogue } from './catalogue.ts'

/** Texts of forms and dialogs, which are loaded with the first of them. */
export const forms = catalogue({
  zoneOfDays: [
    'A day in the time zone of the store, {zone}.',
    'Ein Tag in der Zeitzone des Shops, {zone}.',
    'Un día en la zona horaria de la tienda, {zone}.',
  ],
  showCall: ['Show as API call', 'Als API-Aufruf zeigen', 'Ver como llamada a la API'],
  notWhole: ['Use a whole number.', 'Geben Sie eine ganze Zahl ein.', 'Use un número entero.'],
  tooLong: [
    'Use at most {max} characters. These are {n}.',
    'Höchstens {max} Zeichen. Das sind {n}.',
    'Como máximo {max} caracteres. Estos son {n}.',
  ],
  notNumber: [
    'Enter a number, such as {example}.',
    'Geben Sie eine Zahl ein, etwa {example}.',
    'Escriba un número, como {example}.',
  ],
  ambiguousAmount: [
    'This can be read in two ways. Enter {large} or {small}.',
    'Das lässt sich auf zwei Arten lesen. Geben Sie {large} oder {small} ein.',
    'Se puede leer de dos maneras. Escriba {large} o {small}.',
  ],
  waiting: [
    'This change is sent once the server answers. You can go on here, but keep this tab open.',
    'Diese Änderung wird gesendet, sobald der Server antwortet. Sie können hier weiterarbeiten, aber lassen Sie diesen Tab offen.',
    'Este cambio se envía cuando el servidor responda. Puede continuar aquí, pero deje abierta esta pestaña.',
  ],
  unanswered: [
    'The server does not answer yet. The change may have arrived.',
    'Der Server antwortet noch nicht. Die Änderung kann angekommen sein.',
    'El servidor aún no responde. El cambio puede haber llegado.',
  ],
  fillIn: ['Fill in this field.', 'Füllen Sie dieses Feld aus.', 'Complete este campo.'],
  notEmail: [
    'Write an address such as name@example.com.',
    'Schreiben Sie eine Adresse wie name@example.com.',
    'Escriba una dirección como nombre@example.com.',
  ],
  notUrl: [
    'Write an address such as https://example.com.',
    'Schreiben Sie eine Adresse wie https://example.com.',
    'Escriba una dirección como https://example.com.',
  ],
  checkFields: ['Check these fields:', 'Prüfen Sie diese Felder:', 'Revise estos campos:'],
  typeName: [
    'Type “{name}” to confirm.',
    'Geben Sie zur Bestätigung „{name}“ ein.',
    'Escriba «{name}» para confirmar.',
  ],
  required: ['required', 'erforderlich', 'obligatorio'],
  discardTitle: ['Discard what you typed?', 'Eingaben verwerfen?', '¿Descartar lo escrito?'],
  discardLead: ['It has not been saved.', 'Sie wurden nicht gespeichert.', 'No se ha guardado.'],
  keepEditing: ['Keep editing', 'Weiter bearbeiten', 'Seguir editando'],
  discard: ['Discard', 'Verwerfen', 'Descartar'],
  storedIt: ['I stored it', 'Ich habe es gesichert', 'Lo he guardado'],
  shownOnce: [
    'This value is shown once. Store it now.',
    'Dieser Wert wird nur einmal gezeigt. Sichern Sie ihn jetzt.',
    'Este valor se muestra una sola vez. Guárdelo ahora.',
  ],
  envLine: ['Line for .env', 'Zeile für .env', 'Línea para .env'],
  actionGone: [
    '“{title}” is not possible any more, because somebody changed the record.',
    '„{title}“ ist nicht mehr möglich, weil jemand den Datensatz geändert hat.',
    '«{title}» ya no es posible, porque alguien cambió el registro.',
  ],
})
