import { catalogue } from './catalogue.ts'

export const licenseImport = catalogue({
  title: ['Import license keys', 'Lizenzschlüssel importieren', 'Importar claves de licencia'],
  open: ['Import keys', 'Schlüssel importieren', 'Importar claves'],
  lead: [
    'Adds keys that another program generated. License holders enter them exactly as they are here.',
    'Nimmt Schlüssel auf, die ein anderes Programm erzeugt hat. Kunden geben sie genau so ein, wie sie hier stehen.',
    'Añade claves que generó otro programa. Los titulares las escriben tal como están aquí.',
  ],
  paste: ['One key per line', 'Ein Schlüssel pro Zeile', 'Una clave por línea'],
  file: ['Or a text file', 'Oder eine Textdatei', 'O un archivo de texto'],
  preview: [
    '{valid} {valid:key|keys} to import, {refused} {refused:line|lines} left out.',
    '{valid} Schlüssel zum Import, {refused} {refused:Zeile|Zeilen} ausgelassen.',
    '{valid} {valid:clave|claves} por importar, {refused} {refused:línea omitida|líneas omitidas}.',
  ],
  before: [
    '{n} {n:line is|lines are} imported already and not sent again.',
    '{n} {n:Zeile ist|Zeilen sind} bereits importiert und {n:wird|werden} nicht erneut gesendet.',
    '{n} {n:línea ya está importada y no se envía|líneas ya están importadas y no se envían} de nuevo.',
  ],
  submit: ['Import {n} {n:key|keys}', '{n} Schlüssel importieren', 'Importar {n} {n:clave|claves}'],
  imported: [
    '{n} {n:key was|keys were} imported.',
    '{n} Schlüssel {n:wurde|wurden} importiert.',
    'Se {n:importó|importaron} {n} {n:clave|claves}.',
  ],
  refused: [
    'These lines were left out. They are in the field again, to be corrected:',
    'Diese Zeilen wurden ausgelassen. Sie stehen wieder im Feld, um sie zu berichtigen:',
    'Estas líneas se omitieron. Están de nuevo en el campo para corregirlas:',
  ],
  unsent: [
    'The import stopped, because too many lines were refused. {n} {n:line was|lines were} not sent.',
    'Der Import hielt an, weil zu viele Zeilen abgelehnt wurden. {n} {n:Zeile wurde|Zeilen wurden} nicht gesendet.',
    'La importación se detuvo porque se rechazaron demasiadas líneas. {n} {n:línea no se envió|líneas no se enviaron}.',
  ],
  line: ['Line {line}: {reason}', 'Zeile {line}: {reason}', 'Línea {line}: {reason}'],
  moreLines: ['And {n} more.', 'Und {n} weitere.', 'Y {n} más.'],
  tooLong: [
    'The key has more than 255 characters.',
    'Der Schlüssel hat mehr als 255 Zeichen.',
    'La clave tiene más de 255 caracteres.',
  ],
  control: [
    'The key contains a control character, such as a tab.',
    'Der Schlüssel enthält ein Steuerzeichen, etwa einen Tabulator.',
    'La clave contiene un carácter de control, como un tabulador.',
  ],
  repeated: [
    'The key is in an earlier line already.',
    'Der Schlüssel steht schon in einer früheren Zeile.',
    'La clave ya está en una línea anterior.',
  ],
  toKeys: ['Open the list of keys', 'Liste der Schlüssel öffnen', 'Abrir la lista de claves'],
})
