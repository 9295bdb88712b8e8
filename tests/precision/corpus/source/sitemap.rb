puts '  href="https://www.example.org/'+lang+'/'+CGI::escape(locs[lang]['url'][id])+'" />'
