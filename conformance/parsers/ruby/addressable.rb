# Addressable::URI.
require "addressable/uri"
require "json"

STDOUT.sync = true
STDIN.each_line do |line|
  asked = JSON.parse(line)
  begin
    found = Addressable::URI.parse(asked["text"])
    puts JSON.generate({ valid: !found.scheme.nil? || asked["rule"] != "URI", host: found.host })
  rescue Addressable::URI::InvalidURIError
    puts JSON.generate({ valid: false })
  end
end
