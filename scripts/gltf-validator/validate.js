// Runs the Khronos validator over files: node validate.js FILE... prints one JSON object a line:
// {"file", "errors", "warnings", "issues": [{"code", "message", "pointer" or "offset", "severity"}]}
'use strict';
const fs = require('fs');
const path = require('path');
const validator = require('gltf-validator');

async function validate(file) {
  const folder = path.dirname(file);
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    externalResourceFunction: (uri) =>
      fs.promises.readFile(path.join(folder, decodeURIComponent(uri))).then((data) => new Uint8Array(data)),
  });
  const issues = report.issues.messages.filter((issue) => issue.severity <= 1);
  return { file, errors: report.issues.numErrors, warnings: report.issues.numWarnings, issues };
}

(async () => {
  for (const file of process.argv.slice(2)) console.log(JSON.stringify(await validate(file)));
})();
