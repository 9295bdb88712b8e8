# Ruby's URI: the parser of RFC 3986.
require "json"
require "uri"

STDOUT.sync = true
STDIN.each_line do |line|
  asked = JSON.parse(line)
  begin
    found = URI::RFC3986_Parser.new.parse(asked["text"])
    puts JSON.generate({ valid: !found.scheme.nil? || asked["rule"] != "URI", host: found.hostname })
  rescue URI::Error
    puts JSON.generate({ valid: false })
  end
end
