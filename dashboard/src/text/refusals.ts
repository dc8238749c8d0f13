import { catalogue } from './catalogue.ts'

/** The refusals of a field that the API words in English. */
export const refusals = catalogue({
  atLeast: ['Use {n} or more.', 'Mindestens {n}.', 'Como mínimo {n}.'],
  atMost: ['Use at most {n}.', 'Höchstens {n}.', 'Como máximo {n}.'],
  moreThan: ['Use more than {n}.', 'Mehr als {n}.', 'Más de {n}.'],
  lessThan: ['Use less than {n}.', 'Weniger als {n}.', 'Menos de {n}.'],
  between: ['Use {n} to {max}.', '{n} bis {max}.', 'De {n} a {max}.'],
  multiple: ['Use a multiple of {n}.', 'Ein Vielfaches von {n}.', 'Un múltiplo de {n}.'],
  wholeNumber: [
    'Use a whole number.',
    'Geben Sie eine ganze Zahl ein.',
    'Escriba un número entero.',
  ],
  number: ['Write a number.', 'Geben Sie eine Zahl ein.', 'Escriba un número.'],
  wrongType: [
    'This value has the wrong type.',
    'Dieser Wert ist von der falschen Art.',
    'Este valor es de un tipo incorrecto.',
  ],
  charactersMin: [
    'Write at least {n} {n:character|characters}.',
    'Mindestens {n} {n:Zeichen|Zeichen}.',
    'Al menos {n} {n:carácter|caracteres}.',
  ],
  charactersMax: [
    'Write at most {n} {n:character|characters}.',
    'Höchstens {n} {n:Zeichen|Zeichen}.',
    'Como máximo {n} {n:carácter|caracteres}.',
  ],
  bytesMax: ['At most {n} bytes.', 'Höchstens {n} Bytes.', 'Como máximo {n} bytes.'],
  entriesMin: [
    'Name at least {n} {n:entry|entries}.',
    'Mindestens {n} {n:Eintrag|Einträge}.',
    'Al menos {n} {n:elemento|elementos}.',
  ],
  entriesMax: [
    'Name at most {n} {n:entry|entries}.',
    'Höchstens {n} {n:Eintrag|Einträge}.',
    'Como máximo {n} {n:elemento|elementos}.',
  ],
  eachOnce: [
    'Name each entry once.',
    'Nennen Sie jeden Eintrag nur einmal.',
    'Indique cada elemento una sola vez.',
  ],
  required: ['Fill in this field.', 'Füllen Sie dieses Feld aus.', 'Complete este campo.'],
  oneOf: ['Use one of {list}.', 'Einer dieser Werte: {list}.', 'Uno de estos valores: {list}.'],
  form: [
    'Write it in this form: {example}',
    'Schreiben Sie es in dieser Form: {example}',
    'Escríbalo con esta forma: {example}',
  ],
  characters: [
    'Some characters cannot be used here.',
    'Hier sind nicht alle Zeichen erlaubt.',
    'Aquí no se permiten todos los caracteres.',
  ],
  slug: [
    'Use a to z, 0 to 9 and hyphens, at most {n}.',
    'Nur a bis z, 0 bis 9 und Bindestriche, höchstens {n}.',
    'Solo a-z, 0-9 y guiones, como máximo {n}.',
  ],
  digits: ['Use digits.', 'Nur Ziffern.', 'Solo cifras.'],
  id: ['This is not an id.', 'Das ist keine ID.', 'Esto no es un identificador.'],
  date: [
    'Write a date and time, such as 2026-01-31T00:00:00Z.',
    'Schreiben Sie Datum und Uhrzeit, etwa 2026-01-31T00:00:00Z.',
    'Escriba fecha y hora, como 2026-01-31T00:00:00Z.',
  ],
  amount: [
    'Write an amount, such as 19.99.',
    'Geben Sie einen Betrag ein, etwa 19,99.',
    'Escriba un importe, como 19,99.',
  ],
  decimals: [
    'Use at most two decimals.',
    'Höchstens zwei Nachkommastellen.',
    'Como máximo dos decimales.',
  ],
  belowMinimum: [
    'This is less than the minimum.',
    'Das ist weniger als das Minimum.',
    'Es menos que el mínimo.',
  ],
  url: [
    'Write an address such as https://example.com.',
    'Schreiben Sie eine Adresse wie https://example.com.',
    'Escriba una dirección como https://example.com.',
  ],
  email: [
    'Write an address such as name@example.com.',
    'Schreiben Sie eine Adresse wie name@example.com.',
    'Escriba una dirección como nombre@example.com.',
  ],
  fileType: [
    'This type of file is not supported. Allowed: {list}',
    'Diese Dateiart geht hier nicht. Erlaubt: {list}',
    'Este tipo de archivo no se admite. Permitidos: {list}',
  ],
  fileEmpty: ['This file is empty.', 'Diese Datei ist leer.', 'Este archivo está vacío.'],
  outOfStock: [
    'Not enough in stock: {n} available.',
    'Nicht genug auf Lager: {n} verfügbar.',
    'No hay existencias suficientes: {n} disponibles.',
  ],
  addUnits: [
    'Not enough in stock: {n} available. Add {missing} or more first.',
    'Nicht genug auf Lager: {n} verfügbar. Fügen Sie zuerst mindestens {missing} hinzu.',
    'No hay existencias suficientes: {n} disponibles. Añada antes {missing} o más.',
  ],
  toStock: ['Open the stock', 'Lager öffnen', 'Abrir el inventario'],
})
